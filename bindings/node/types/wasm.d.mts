export * from './wasm.js';
