import type { Question } from '#lib/sources/question.ts';

/** The columns that a role's question names, each with what may be written for it. */
export function candidatesOf(
  { roles }: { readonly roles: readonly Question[] },
  resource: string,
  role: string,
) {
  const asked = roles.find((each) => each.resource === resource && each.column === role);
  return Object.fromEntries(
    (asked?.cures ?? []).map(({ setting, choices }) => [setting.split('.').at(-1), choices]),
  );
}
