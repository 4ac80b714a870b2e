import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#lib/config/parse-config.ts';
import { nextDue } from '#lib/config/schedule.ts';

const EXAMPLES = readdirSync('examples', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const textOf = (file: string) => readFileSync(join('examples', file), 'utf8');

describe('examples/', () => {
  it('are listed, each with its page', () => {
    const listed = [...textOf('README.md').matchAll(/\]\(([\w-]+)\/README\.md\)/g)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(EXAMPLES.toSorted());
  });

  it.each(EXAMPLES.filter((name) => name !== 'dbt'))(
    '%s has a config without mistakes, which is due once a day',
    async (name) => {
      const config = await readConfig(join('examples', name, 'export.config.json'));
      const due = nextDue(config, new Date('2026-11-22T12:00:00Z'));
      expect(due?.toISOString()).toMatch(/^2026-11-23T0[0-3]:00/);
      expect(config.sources).toHaveLength({ 'one-customer': 2, 'twenty-customers': 20 }[name] ?? 1);
    },
  );

  it('laptop: systemd understands the units, and runs at the same time as the schedule of the config', async (context) => {
    const units = ['service', 'timer'].map((kind) => `examples/laptop/signage-export.${kind}`);
    const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', ...units], {
      encoding: 'utf8',
    });
    if (error !== undefined) return context.skip('systemd-analyze is not on this machine');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const calendar = /^OnCalendar=(.*)$/m.exec(textOf('laptop/signage-export.timer'))?.[1] ?? '';
    const words = ['calendar', '--base-time', '2026-11-22 12:00:00 UTC', calendar];
    const said = execFileSync('systemd-analyze', words, {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC' },
    });
    const elapses = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/.exec(said);
    const due = nextDue(
      await readConfig('examples/laptop/export.config.json'),
      new Date('2026-11-22T12:00:00Z'),
    );
    expect(`${elapses?.[1]}T${elapses?.[2]}.000Z`).toBe(due?.toISOString());
  });

  it('container: what Compose gives is where the config and the command look for it', async () => {
    const compose = textOf('container/compose.yaml');
    const { sources } = await readConfig('examples/container/export.config.json');
    expect(sources.map(({ secret }) => secret)).toEqual(['file:/run/secrets/berlin']);
    expect(compose).toMatch(/secrets: \[berlin\]/);
    const command = /command: \[(.*)\]/.exec(compose)?.[1]?.split(', ') ?? [];
    expect(command[0]).toBe('schedule');
    const mounted = [...compose.matchAll(/^ +- (?:\.\/export\.config\.json|data):([^:\n]+)/gm)].map(
      ([, at]) => at,
    );
    expect(mounted).toEqual([command[2], '/data']);
    expect(command[4]).toBe('/data/lake');
  });

  it('container: the image runs as no root, and only what the package has', () => {
    const dockerfile = readFileSync('Dockerfile', 'utf8');
    const last = dockerfile.split(/^FROM /m).at(-1) ?? '';
    expect(last).toMatch(/^USER node$/m);
    const { bin } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(Object.keys(bin)).toEqual(JSON.parse(/^ENTRYPOINT (.*)$/m.exec(last)?.[1] ?? '[]'));
    expect(JSON.parse(/^CMD (.*)$/m.exec(last)?.[1] ?? '[]')).toEqual(['schedule']);
    const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n');
    const needed = ['cli', 'docs', 'functions', 'infra', 'lib', 'queries', 'scripts', 'simulator'];
    expect(needed.filter((name) => !existsSync(name) || ignored.includes(name))).toEqual([]);
  });
});
