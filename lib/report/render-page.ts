import { hash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { printable } from '../text.ts';
import type { ReportData } from './report-data.ts';

/** What draws the page: the script is bundled, for browsers. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/**
 * The page as one file. Its policy allows only its own script, by its hash, and no request at all. So text
 * from a foreign server cannot run or send anything, even if it got into the markup.
 */
export function renderPage(data: ReportData, assets: PageAssets): string {
  const shown = { ...data, groups: data.groups.map((group) => ({ ...group, figures: [] })) };
  const figures = deflateRawSync(JSON.stringify(data.groups.map((group) => group.figures)), { level: 9 });
  const script = assets.script.replaceAll('</script', '<\\/script');
  const digest = hash('sha256', script, 'base64');
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${digest}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="${data.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escapeHtml(printable(data.name))} – signage report</title>
<style>${assets.style}</style>
</head>
<body>
<noscript>This report draws itself: allow scripts for it. It makes no request.</noscript>
<div id="report"></div>
<script type="application/json" id="data">${escapeJson(shown)}</script>
<script type="text/plain" id="groups">${figures.toString('base64')}</script>
<script>${script}</script>
</body>
</html>
`;
}

/**
 * JSON that is safe inside a script element: no text in it can end the element or break the script. A
 * character that can reverse text becomes a visible escape.
 */
function escapeJson(value: unknown): string {
  const shown = JSON.stringify(value, (_, each) => (typeof each === 'string' ? printable(each) : each));
  return shown.replaceAll(/[<>&]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
