import { h } from './dom.ts';
import type { Formats } from './formats.ts';

const KEY = 'signage-report-theme';
type Theme = 'light' | 'dark';

/** The present theme: the reader's choice on this page, otherwise the system's. */
function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** A button that changes the theme, and remembers it if the browser lets a file remember. */
export function themeButton({ t }: Formats, onChange: () => void): HTMLElement {
  const remembered = remember();
  if (remembered !== null) document.documentElement.dataset['theme'] = remembered;
  const label = () => (currentTheme() === 'dark' ? t('Light theme') : t('Dark theme'));
  const button = h('button.quiet', { type: 'button', id: 'theme' }, label());
  button.addEventListener('click', () => {
    const next = currentTheme() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = next;
    remember(next);
    button.textContent = label();
    onChange();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    button.textContent = label();
    onChange();
  });
  return button;
}

function remember(theme?: Theme): string | null {
  try {
    if (theme !== undefined) localStorage.setItem(KEY, theme);
    return localStorage.getItem(KEY);
  } catch {
    return theme ?? null;
  }
}
