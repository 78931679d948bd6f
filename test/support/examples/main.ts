// npm run examples: records the examples of the OpenAPI document again, from a demo that it starts. Run `npm run emit`
// afterwards.
import './reference-clock.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { demo } from '../../../src/demo/run.ts';
import { demoOrganization, openTenant } from '../../../src/demo/organization/tenant.ts';
import { restApiOf } from '../../../src/surfaces/rest/api.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { callEach } from './calls.ts';
import { normalized } from './normalize.ts';
import { fillParameters } from './parameters.ts';
import { Recorder } from './recorder.ts';

const file = fileURLToPath(new URL('../../../src/surfaces/openapi/examples.json', import.meta.url));
const given = process.env['DATA_DIR'];
const dataDir = given ?? (await mkdtemp(path.join(tmpdir(), 'costkeep-examples-')));
const limits = { RATE_LIMIT_AUTH: '10000', RATE_LIMIT_READ: '10000', RATE_LIMIT_WRITE: '10000' };
const env = { PORT: '4790', ALLOW_PRIVATE_WEBHOOKS: 'true', RATE_LIMIT_REPORT: '10000', DATA_DIR: dataDir, ...limits };
const running = await demo(env);
try {
  const { password } = await openTenant(running.deps);
  const { document } = restApiOf(buildSchema());
  const recorder = new Recorder(`${running.address}/api/v1`, document);
  await callEach(recorder, { deps: running.deps, email: demoOrganization.email, password });
  await fillParameters(recorder, document, running.deps.clock.now());
  const text = JSON.stringify(normalized(recorder.recorded), null, 2);
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
  const count = Object.keys(recorder.recorded).length;
  process.stdout.write(`${count} operations have examples: run \`npm run emit\`\n`);
} finally {
  await running.stop();
  if (given === undefined) await rm(dataDir, { recursive: true, force: true });
}
process.exit(0);
