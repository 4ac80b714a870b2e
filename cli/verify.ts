import { verify } from '#lib/repair/verify.ts';
import { counted } from '#lib/text.ts';
import { EXIT } from './exit.ts';
import { configIfAny, existingLake, localServices } from './local-services.ts';
import { sizeText } from './operate.ts';
import { commandOf, numberOption, ofStack, option } from './options.ts';
import { note, tell } from './say.ts';

const OPTIONS = {
  sample: option(
    '<percent>',
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
  const { part, parts, files, bytes, unknown, found } = verified;
  const which =
    parts === 1 ? '' : ` This is part ${part + 1} of ${parts}; the next call reads the next part.`;
  const lines = [
    `${counted(files, 'file')} (${sizeText(bytes)}) read, ${found.length} damaged or missing.${which}`,
  ];
  if (unknown > 0)
    lines.push(
      `${counted(unknown, 'file')} without a sum: \`verify\` cannot check them. An earlier version made them, or a run that did not end, or state/ was lost.`,
    );
  for (const { key, fault, cure } of found) lines.push(`  ${key} is ${fault}: ${cure}.`);
  tell({ json }, verified, lines.join('\n'));
  if (verified.damaged > 0) process.exitCode = EXIT.failed;
});
