import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createChance } from '../support/chance.ts';
import { statementsOf } from '../support/syntax.ts';
import { codeMutations } from './code-mutations.ts';
import { flowMutations } from './flow-mutations.ts';
import type { Mutation } from './mutation.ts';
import { sqlMutations } from './sql-mutations.ts';

const mutated = (text: string, { start, end, text: to }: Mutation) =>
  `${text.slice(0, start)}${to}${text.slice(end)}`;

describe('wrong lines of code', () => {
  it.each([
    ['const isLate = at < end;', 'const isLate = at <= end;'],
    ['const isBoth = one && other;', 'const isBoth = one || other;'],
    ['const name = given ?? known;', 'const name = given;'],
    ['if (isLate) stop;', 'if (!(isLate)) stop;'],
    ['const isEarly = !isLate;', 'const isEarly = isLate;'],
    ['await keep(lease);', 'void keep(lease);'],
    ['await keep(lease);', ';'],
    ['const days = 30;', 'const days = 31;'],
    ['const left = rows.filter(isLeft);', 'const left = rows;'],
    ['const isDone = rows.every(isLeft);', 'const isDone = rows.some(isLeft);'],
    ['const sql = quoteLiteral(name);', 'const sql = String(name);'],
    ["const actions = ['s3:GetObject'];", "const actions = ['none:None'];"],
    ['const sql = `select a from t where b and c`;', 'const sql = `select a from t where b or c`;'],
  ])('%s becomes %s', (text, wrong) => {
    expect(codeMutations('a.ts', text).map((each) => mutated(text, each))).toContain(wrong);
  });

  it('none is made of types, imports and words of the language', () => {
    const text = "import { a } from 'x'; type Span = { readonly days: 30 } & Record<'select from', true>;";
    expect(codeMutations('a.ts', text)).toEqual([]);
  });

  it('none is made of the words of a sentence', () => {
    const said = 'It is in a network, and reached from where it is: set vpc, or write the address.';
    expect(codeMutations('a.ts', `const said = '${said}';`)).toEqual([]);
  });

  it('each is code again, and other code than it was', () => {
    const files = execFileSync('git', ['ls-files', 'lib', 'cli', 'infra'], { encoding: 'utf8' }).split('\n');
    const chance = createChance(5);
    const sources = files.filter((file) => file.endsWith('.ts'));
    for (let count = 0; count < 200; count += 1) {
      const file = chance.oneOf(sources);
      const text = readFileSync(file, 'utf8');
      const made = codeMutations(file, text);
      const wrong = made.length === 0 ? undefined : mutated(text, chance.oneOf(made));
      expect(wrong).not.toBe(text);
      expect(statementsOf(file, wrong ?? text).length, `${file} mutated`).toBeGreaterThan(0);
    }
  });
});

describe('wrong lines of SQL', () => {
  it.each([
    ['select a from t where b >= 1', 'select a from t where b > 1'],
    ['select a from t left join u using (source, id)', 'select a from t join u using (source, id)'],
    ['select a from t left join u using (source, id)', 'select a from t left join u using (id)'],
    ['from t join u on t.source = u.source and t.id = u.id', 'from t join u on true and t.id = u.id'],
    ['row_number() over (partition by source, id)', 'row_number() over (partition by id)'],
    ['from t join u using (id, source, day)', 'from t join u using (id, day)'],
    ['anti join u on u.source = export_source and u.id = id', 'anti join u on true and u.id = id'],
    ['select b, count(*) from t group by t.day, t.source, b', 'select b, count(*) from t group by t.day, b'],
    ['select distinct export_source as source, id from t', 'select distinct id from t'],
    ['order by a desc', 'order by a asc'],
    ['select distinct a from t', 'select a from t'],
    ['select max_by(a, b) from t', 'select min_by(a, b) from t'],
  ])('%s becomes %s', (sql, wrong) => {
    expect(sqlMutations(sql).map((each) => mutated(sql, each))).toContain(wrong);
  });

  it('none is made of comments', () => {
    expect(sqlMutations('-- a and b, the max(x)\n/* left join */')).toEqual([]);
  });
});

it('wrong lines of the flow: a bound, an error that is tried again, a way back, what comes next', () => {
  const flow = readFileSync('infra/export.asl.json', 'utf8');
  const made = flowMutations(flow);
  expect(new Set(made.map(({ operator }) => operator))).toEqual(
    new Set(['bound', 'flag', 'retry', 'catch', 'error', 'next']),
  );
  for (const each of made) expect(JSON.parse(mutated(flow, each))).not.toEqual(JSON.parse(flow));
});
