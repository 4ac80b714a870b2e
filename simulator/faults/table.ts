import { bigBody } from './big-body.ts';
import { clockSkew } from './clock-skew.ts';
import { cutJson } from './cut-json.ts';
import { denied } from './denied.ts';
import { deniedAll } from './denied-all.ts';
import { down } from './down.ts';
import { drip } from './drip.ts';
import { echo } from './echo.ts';
import { empty } from './empty.ts';
import { error200 } from './error200.ts';
import type { Fault } from './fault.ts';
import { gone } from './gone.ts';
import { halved } from './halved.ts';
import { hang } from './hang.ts';
import { html200 } from './html200.ts';
import { internalError } from './internal-error.ts';
import { moving } from './moving.ts';
import { nextLink } from './next-link.ts';
import { redirect } from './redirect.ts';
import { reset } from './reset.ts';
import { rotate } from './rotate.ts';
import { slow } from './slow.ts';
import { tooManyRequests } from './too-many-requests.ts';
import { truncate } from './truncate.ts';
import { unavailable } from './unavailable.ts';
import { wrongContentType } from './wrong-content-type.ts';
import { wrongShape } from './wrong-shape.ts';

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
