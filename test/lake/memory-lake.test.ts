import { memoryLake } from '../model/memory-lake.ts';
import { temporaryFolder } from '../support/lake-children.ts';
import { describeLake } from './lake-contract.ts';

describeLake('memory', async (test) => {
  await using folder = await temporaryFolder();
  await test(memoryLake(folder.path));
});
