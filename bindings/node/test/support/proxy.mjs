// Stands between a client and a server on HTTP, outside of every SDK, and keeps
// each message that passes.
import { createServer, request } from 'node:http';

/** Starts a proxy to `port`; `messages` fills up as messages pass. */
export async function recordingProxy(port) {
  const messages = [];
  const server = createServer((incoming, outgoing) => {
    const sent = [];
    incoming.on('data', (chunk) => sent.push(chunk));
    const { method, url, headers } = incoming;
    const upstream = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      const got = [];
      answer.on('data', (chunk) => {
        got.push(chunk);
        outgoing.write(chunk);
      });
      answer.on('end', () => {
        outgoing.end();
        const body = Buffer.concat(got).toString();
        const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
        const lines = isStream ? [...body.matchAll(/^data: (.+)$/gm)].map(([, data]) => data) : [body];
        for (const line of lines.filter(Boolean)) messages.push({ from: 'server', line });
      });
    });
    incoming.on('end', () => {
      const body = Buffer.concat(sent).toString();
      if (body) messages.push({ from: 'client', line: body });
    });
    incoming.pipe(upstream);
    outgoing.on('close', () => upstream.destroy());
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { messages, url: `http://127.0.0.1:${server.address().port}/mcp`, close: () => server.close() };
}
