// Finds lines that hold a text, in every text file of a folder.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A line that holds what was searched. */
export interface Match {
  file: string;
  line: number;
  text: string;
}

/** Every line below `root` that holds `query`, by file name, then by line. */
export async function search(root: string, query: string): Promise<Match[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !path
          .relative(root, file)
          .split(path.sep)
          .some((part) => SKIPPED.has(part)),
    )
    .sort();
  const matches: Match[] = [];
  for (const file of files) {
    const content = await readFile(file);
    // A NUL byte: no text.
    if (content.includes(0)) continue;
    const name = path.relative(root, file).split(path.sep).join('/');
    for (const [at, text] of content.toString('utf8').split('\n').entries()) {
      if (text.includes(query)) matches.push({ file: name, line: at + 1, text });
    }
  }
  return matches;
}

const SKIPPED = new Set(['.git', 'dist', 'node_modules', 'target']);
