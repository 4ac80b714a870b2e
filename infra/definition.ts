import { readFileSync } from 'node:fs';
import { flowOf } from '../lib/runtime/flow.ts';

/** The definition of infra/export.asl.json, or another, with `${…}` where CloudFormation puts an ARN. */
export function definitionText(name: 'export' | 'operate' = 'export'): string {
  return JSON.stringify(flowOf(readFileSync(new URL(`${name}.asl.json`, import.meta.url), 'utf8')));
}

/** The labels of the distributed maps, which are part of the ARNs of their executions. */
export function mapLabels(text: string): readonly string[] {
  return [...text.matchAll(/"Label":"(\w+)"/g)].map(([, label]) => label ?? '');
}

/** `list` → `List`, as in the definition. */
export function pascal(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
