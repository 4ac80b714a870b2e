// Feathers over its memory store: pages of 10 unless asked otherwise, of 50 at most, as its generator sets them.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');

const [, , port, file, , modules] = process.argv;
const load = createRequire(`${modules}/package.json`);
const { feathers } = load('@feathersjs/feathers');
const { koa, rest, bodyParser, errorHandler } = load('@feathersjs/koa');
const { MemoryService } = load('@feathersjs/memory');

const data = JSON.parse(readFileSync(file, 'utf8'));
const app = koa(feathers());
app.use(errorHandler());
app.use(bodyParser());
app.configure(rest());

/** What a query says is text; generated schemas make numbers of it. */
async function withNumbers({ params }, next) {
  if (params.query.player_id !== undefined) params.query.player_id = Number(params.query.player_id);
  await next();
}

for (const [name, rows] of Object.entries(data)) {
  const store = Object.fromEntries(rows.map((row) => [row.id, row]));
  const paginate = { default: 10, max: 50 };
  app.use(name.replaceAll('_', '-'), new MemoryService({ id: 'id', store, paginate }));
  app.service(name.replaceAll('_', '-')).hooks({ around: { find: [withNumbers] } });
}

app.listen(Number(port), '127.0.0.1');
