/**
 * The layers of lib and what stands on it, from the ground up. A file imports from its own folder and from layers below
 * it, types included; folders of one layer, such as the stages, do not know each other.
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
  ['catalog'],
  ['aws'],
  ['estimate'],
  ['start', 'list', 'collect', 'sweep', 'plan', 'publish', 'commit'],
  ['repair'],
  ['lambda'],
  ['functions'],
  ['cli'],
];
