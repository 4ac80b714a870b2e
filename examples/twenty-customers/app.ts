import { App, Stack } from 'aws-cdk-lib';
import { SignageExport } from 'signage-export/cdk';

const app = new App();
const stack = new Stack(app, 'fleet', { description: 'The exports of twenty customers' });
new SignageExport(stack, 'Default', { config: 'export.config.json' });
app.synth();
