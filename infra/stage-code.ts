import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Config } from '../lib/config/config.ts';
import { makeFolders } from '../lib/make-folders.ts';
import { bindingOf, fetchedBinding, type LambdaArchitecture } from './bindings.ts';
import { putBundle } from './put-bundle.ts';
import type { StageForm } from './stages.ts';

/** This folder, which is in the repository and in the package. */
const HERE = fileURLToPath(new URL('.', import.meta.url));
const QUERIES = fileURLToPath(new URL('../queries', import.meta.url));
/** The folder into which Lambda puts a bundle. */
const TASK_ROOT = '/var/task';

export interface StageCodeProps {
  readonly stage: StageForm;
  readonly config: Config;
  readonly architecture: LambdaArchitecture;
}

/**
 * The code of a stage's Lambda and the files next to it, made while CDK synthesizes. Its hash is its
 * content's, so the repository and the package make the same one.
 */
export function stageCode(props: StageCodeProps): Code {
  const { stage, config, architecture } = props;
  const content = createHash('sha256').update(JSON.stringify(config)).digest('hex');
  return Code.fromAsset(HERE, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never run. CDK takes two assets for the same if these words are the same.
      image: DockerImage.fromRegistry('scratch'),
      command: [stage.name, architecture, content],
      local: {
        tryBundle: (folder) => {
          putBundle(stage, folder);
          for (const [to, from] of Object.entries(beside(props))) {
            makeFolders(dirname(join(folder, to)));
            cpSync(from, join(folder, to), { recursive: true });
          }
          return true;
        },
      },
    },
  });
}

/** What is copied next to a bundle: its path in the bundle → the file or folder of this machine. */
function beside({ stage, config, architecture }: StageCodeProps): Readonly<Record<string, string>> {
  const certificates = config.sources.flatMap(({ name, caFile }) =>
    caFile === undefined ? [] : [[`ca/${name}.pem`, caFile]],
  );
  return {
    ...(stage.hasDuckDb && {
      [`node_modules/${bindingOf(architecture).name}`]: fetchedBinding(architecture),
    }),
    ...(stage.hasConfig && { 'export.config.json': writtenConfig(config) }),
    ...((stage.hasCatalog || stage.tells || stage.name === 'plan') && { queries: QUERIES }),
    ...(stage.callsApi && Object.fromEntries(certificates)),
  };
}

/** A file with the config, and with the paths of certificates in the Lambda. */
function writtenConfig(config: Config): string {
  const sources = config.sources.map((source) =>
    source.caFile === undefined ? source : { ...source, caFile: `${TASK_ROOT}/ca/${source.name}.pem` },
  );
  const file = join(mkdtempSync(join(tmpdir(), 'signage-export-synth-')), 'export.config.json');
  writeFileSync(file, JSON.stringify({ ...config, sources }));
  return file;
}
