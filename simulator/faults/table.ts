import {
  bigBody,
  clockSkew,
  cutJson,
  empty,
  error200,
  halved,
  html200,
  moving,
  nextLink,
  wrongContentType,
  wrongShape,
} from './bodies.ts';
import { drip, hang, reset, slow, truncate } from './connections.ts';
import type { Fault } from './fault.ts';
import {
  denied,
  deniedAll,
  down,
  echo,
  gone,
  internalError,
  redirect,
  rotate,
  tooManyRequests,
  unavailable,
} from './refusals.ts';

const ALL: readonly Fault[] = [
  internalError,
  unavailable,
  tooManyRequests,
  reset,
  truncate,
  cutJson,
  html200,
  error200,
  wrongShape,
  wrongContentType,
  bigBody,
  slow,
  hang,
  drip,
  gone,
  denied,
  deniedAll,
  rotate,
  echo,
  redirect,
  nextLink,
  clockSkew,
  moving,
  empty,
  halved,
  down,
];

/** Every fault by its name in a spec. */
export const FAULTS: ReadonlyMap<string, Fault> = new Map(ALL.map((each) => [each.name, each]));
