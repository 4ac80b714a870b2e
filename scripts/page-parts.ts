/** What a person writes of a page: all before its first section. */
export function beginningOf(page: string): string {
  return page.slice(0, page.indexOf('\n## '));
}

/** The page with the rows of its table whose first column has this name. Throws where no table has it. */
export function withRows(page: string, column: string, rows: readonly (readonly string[])[]): string {
  const lines = page.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`| ${column} |`));
  if (at === -1) throw new Error(`no table of the page begins with the column ${column}`);
  const length = lines.slice(at).findIndex((line) => !line.startsWith('|'));
  return lines.toSpliced(at + 2, length - 2, ...rows.map(rowOf)).join('\n');
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(rowOf).join('\n');
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
