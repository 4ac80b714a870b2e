import { architectureNamed, fetchBinding } from './bindings.ts';

/** `npm run bindings`: fetches DuckDB's binding for Lambda (arm64; `x86_64` as argument for the other). */
console.log(fetchBinding(architectureNamed(process.argv[2] ?? 'arm64')));
