import { type Verified, verify } from '#lib/repair/verify.ts';
import { counted } from '#lib/text.ts';
import { EXIT } from './exit.ts';
import { configIfAny, existingLake, localServices } from './local-services.ts';
import { sizeText } from './operate.ts';
import { commandOf, numberOption, ofStack, option } from './options.ts';
import { note, tell } from './say.ts';

const OPTIONS = {
  sample: option(
    '--sample <percent>',
    'read this percentage of the files; the next call reads the files after them',
    numberOption(0.1, 100).default(100),
  ),
  deployed: ofStack('read the lake of the deployed stack, from this machine'),
};

export const addVerify = commandOf(OPTIONS, async ({ lake, config, json, sample }) => {
  const services = localServices(await existingLake(lake));
  const verified = await verify(sample, { ...services, config: await configIfAny(config) });
  if (!verified.isNoted)
    note('warning: this user may not write to the lake, so `status` will not show this check.');
  tell({ json }, verified, describeVerified(verified).join('\n'));
  if (verified.damaged > 0) process.exitCode = EXIT.failed;
});

function describeVerified({ part, parts, files, bytes, unknown, found }: Verified): readonly string[] {
  const sample =
    parts === 1 ? '' : ` This is part ${part + 1} of ${parts}; the next call reads the next part.`;
  return [
    `${counted(files, 'file')} (${sizeText(bytes)}) read, ${found.length} damaged or missing.${sample}`,
    ...(unknown === 0
      ? []
      : [
          `${counted(unknown, 'file')} without a sum: \`verify\` cannot check them. An earlier version made them, or a run that did not end, or state/ was lost.`,
        ]),
    ...found.map(({ key, fault, cure }) => `  ${key} is ${fault}: ${cure}.`),
  ];
}
