import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { printable } from '#lib/printable.ts';
import type { ReportData } from './report-data.ts';

const PAGE = new URL('page/', import.meta.url);

/**
 * The page as one file. Its policy allows the one script that is in it, by its hash, and no request at all: text that a
 * foreign server gave cannot run and cannot call home even if it got into the markup.
 */
export async function renderPage(data: ReportData): Promise<string> {
  const script = (await bundle()).replaceAll('</script', '<\\/script');
  const style = await readFile(new URL('style.css', PAGE), 'utf8');
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escapeHtml(printable(data.name))} – signage report</title>
<style>${style}</style>
</head>
<body>
<noscript>This report draws itself: allow scripts for it. It makes no request.</noscript>
<div id="report"></div>
<script type="application/json" id="data">${escapeJson(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/**
 * JSON that is safe inside a script element: no text in it can end the element or break the script. What could turn a
 * text of the page around is an escape that a person sees.
 */
function escapeJson(value: unknown): string {
  const shown = JSON.stringify(value, (_, each) => (typeof each === 'string' ? printable(each) : each));
  return shown.replaceAll(/[<>&]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The page's script with the charts that it draws and no others. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('main.ts', PAGE))],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
