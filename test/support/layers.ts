/**
 * The layers of lib, from the ground up. A file imports from its own folder and from layers below it, types included;
 * folders of one layer, such as the stages, do not know each other.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['ground'],
  ['sources'],
  ['lake'],
  ['schema'],
  ['config'],
  ['api'],
  ['runtime'],
  ['run'],
  ['views'],
  ['report'],
  ['news'],
  ['catalog'],
  ['aws'],
  ['estimate'],
  ['start', 'list', 'collect', 'sweep', 'plan', 'publish', 'commit'],
  ['repair'],
  ['lambda'],
];

/** What each folder at the root may import besides its own files, types included: all whose path begins so. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  functions: ['lib/'],
  // What the stack consists of; the file that `estimate` reads knows no CDK.
  infra: ['lib/'],
  // The APIs as foreign hands make them: they know the names of the listings, and nothing of how we read them.
  simulator: ['lib/sources/', 'lib/text.ts', 'lib/time.ts'],
  cli: ['lib/', 'functions/', 'simulator/', 'infra/stages.ts', 'infra/bindings.ts'],
  bench: ['lib/', 'functions/', 'cli/', 'infra/', 'simulator/'],
  // What the build puts into the package of infra, without CDK.
  scripts: [
    ...'lib/ functions/ cli/ simulator/ test/support/export-lab.ts infra/bundle.ts'.split(' '),
    ...'infra/locked-bindings.ts infra/stages.ts'.split(' '),
  ],
  // As whoever installs the package writes them.
  examples: [],
  test: ['lib/', 'functions/', 'cli/', 'infra/', 'simulator/', 'bench/', 'scripts/'],
};
