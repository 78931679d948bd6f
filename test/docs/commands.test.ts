import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aLine, writeFocus } from '../support/focus.ts';
import { shareCodeCache } from '../support/code-cache.ts';
import { spawnServer, type SpawnedServer } from '../support/server.ts';
import { readPage, readPages, root, type Block } from './pages.ts';

// Runs the commands of the documentation as a reader would: in a shell, page by page, against a server with two small
// bills. Only the address of the server and the folder of the bills differ.

/** Why the commands of a block are not run, by the first line of the block. The docs mark such blocks `sh no-run`. */
const notRun: Readonly<Record<string, string>> = {
  'curl -s -X PUT localhost:3000/api/v1/metrics/$METRIC_ID/values -H "Authorization: Bearer $TOKEN" \\':
    'needs a metric of the reader',
  'npm ci && npm run demo': 'reinstalls what runs this test, and does not end',
  'npm ci && npm test': 'runs this test',
  'npm ci': 'reinstalls what runs this test',
  'npm ci && npm pack': 'reinstalls what runs this test',
  'npx ./costkeep-0.1.0.tgz demo': 'does not end',
  'tar -xzOf costkeep-0.1.0.tgz package/dist/sbom.cdx.json > costkeep.cdx.json': 'needs a release',
  'sudo useradd --system --home-dir /var/lib/costkeep --shell /usr/sbin/nologin costkeep': 'changes the machine',
  'sudo systemctl enable --now costkeep': 'changes the machine',
  'sudo systemctl stop costkeep': 'changes the machine',
  'sudo systemd-run --pipe --wait --quiet --uid costkeep --setenv DATA_DIR=/var/lib/costkeep \\': 'needs systemd',
  'kubectl exec statefulset/costkeep -- /app/bin/costkeep admin doctor        # embedded': 'needs a cluster',
  'kubectl exec statefulset/costkeep -- /app/bin/costkeep backup s3://company-backups/costkeep/': 'needs a cluster',
  'helm upgrade costkeep deploy/helm/costkeep --reset-then-reuse-values --set maintenance=true': 'needs a cluster',
  'OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 OTEL_SERVICE_NAME=costkeep-eu npm start':
    'starts a server, which does not end',
  'docker build -t costkeep:0.1.0 .': 'needs Docker',
  'docker compose up --detach': 'needs Docker',
  'docker compose exec costkeep /app/bin/costkeep backup /backup/': 'needs Docker',
  'docker compose stop costkeep # with the profile scale: costkeep costkeep-2 worker': 'needs Docker',
  'helm install costkeep deploy/helm/costkeep --set image.repository=registry.example.com/costkeep \\':
    'needs a cluster',
  'kubectl create secret generic costkeep-secrets \\': 'needs a cluster',
  'npm test                                   # all checks': 'runs this test',
  'npm run torture                                          # all parts, 10 minutes each': 'takes an hour',
  'AWS_PRINCIPAL=arn:aws:iam::210987654321:role/costkeep-server npm start': 'starts a server, which does not end',
  'DATABASE_URL=postgresql://… JWT_KEY=… ENCRYPTION_KEY=… FACTS_URL=s3://costkeep-facts/prod npm run worker':
    'starts a worker, which does not end',
  'SVC_API_TOKEN=svc_… npm run mcp          # one user: http://localhost:3005/mcp': 'starts servers, which do not end',
  'claude mcp add --env SVC_API_TOKEN=svc_… --transport stdio costkeep -- npm --prefix /srv/costkeep run --silent mcp -- --stdio':
    'configures assistants',
  'az ad sp create-for-rbac --name costkeep': 'needs Azure',
  [`jq -n --slurpfile key key.json '{`]: 'needs Google Cloud',
  [`curl -s localhost:3000/api/v1/accounts -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{`]:
    'connects a cloud',
  'npm run ingest -- /srv/billing/other --organization Example --name "Other clouds"':
    'loads the bills of the request before it a second time',
  'npm run backup -- /backup/costkeep/': 'writes to places of a real server',
  'npm run restore -- /backup/costkeep/costkeep-20261127T013000Z.tar --passphrase-file /etc/costkeep/passphrase':
    'replaces a database',
  'npm run admin -- create-user --email ana@example.com --new-organization "Example Ltd"': 'creates users',
};

const pages = readPages();
const first = 'docs/getting-started.md';
const isShell = ({ info }: Block) => /^sh\b/.test(info);
const firstLineOf = ({ text }: Block) => text.split('\n')[0] ?? '';
const isRun = (block: Block) => isShell(block) && !block.info.includes('no-run') && !(firstLineOf(block) in notRun);
const others = pages.filter(({ file, blocks }) => file !== first && blocks.some(isRun)).map(({ file }) => file);

const base = mkdtempSync(path.join(tmpdir(), 'costkeep-docs-'));
chmodSync(base, 0o711); // root's database user must be able to pass through it
const bills = path.join(base, 'bills');
const settings = {
  PATH: process.env['PATH'] ?? '',
  HOME: base,
  DATA_DIR: path.join(base, 'data'),
  FOCUS_ROOT: bills,
  LOG_LEVEL: 'error',
  SYNC_CRON: 'off',
};
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const limitMs = 120_000;
const dayMs = 86_400_000;

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

let server: SpawnedServer | undefined;
let started: Ran | undefined;

/** Runs the commands of a page in one shell. A request that returns an error ends it. */
async function run(file: string): Promise<Ran> {
  const commands = readPage(file).blocks.filter(isRun);
  const here = (text: string) =>
    text.replaceAll('localhost:3000', new URL(server?.url ?? '').host).replaceAll('/srv/billing', bills);
  const script = [
    'set -euo pipefail',
    'curl() { command curl --fail-with-body --max-time 20 "$@"; }',
    `npm() { (cd '${root}' && command npm "$@"); }`,
    '[ ! -f state ] || . ./state',
    ...commands.map(({ text }) => here(text)),
    'declare -p TOKEN ACCOUNT > state',
  ].join('\n');
  const env = { ...settings, SVC_API_URL: `${server?.url}/api/v1` };
  const child = spawn('bash', ['-xc', script], { cwd: base, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  const { promise, resolve } = Promise.withResolvers<Ran>();
  child.once('close', (code) => resolve({ code, output: Buffer.concat(parts).toString().slice(-8000) }));
  return promise;
}

describe.skipIf(!hasCurl)('commands of the documentation (skipped without curl)', () => {
  beforeAll(async () => {
    const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
    for (const folder of ['aws', 'other']) {
      mkdirSync(path.join(bills, folder), { recursive: true });
      const lines = [3, 4, 40].map((days) =>
        aLine({ day: dayBefore(days), cost: '12.5', Tags: '{"team":"shop"}', ResourceId: `${folder}-${days}` }),
      );
      await writeFocus(path.join(bills, folder, 'bill.csv'), lines);
    }
    shareCodeCache(settings.DATA_DIR);
    server = await spawnServer({ ...settings, PORT: '0' });
    started = await run(first);
  }, limitMs);
  afterAll(async () => {
    await server?.stop();
    rmSync(base, { recursive: true, force: true });
  }, limitMs);

  it(`succeed on ${first}`, () => {
    expect(started).toEqual({ code: 0, output: started?.output });
    expect(started?.output).toContain('"service":"Virtual Machines"');
  });

  it.each(others)('succeed on %s', async (file) => {
    const ran = await run(file);
    expect(ran).toEqual({ code: 0, output: ran.output });
  });

  it('return the error that docs/api.md shows', async () => {
    const shown = readPage('docs/api.md').blocks.find(({ info }) => info === 'json')?.text ?? '';
    const token = /TOKEN="(.+)"/.exec(readFileSync(path.join(base, 'state'), 'utf8'))?.[1];
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${server?.url}/api/v1/costs/by-service?start_date=2026-13-01`, { headers });
    expect(await answer.json()).toEqual(JSON.parse(shown));
  });
});

describe('command block', () => {
  it('is run, or is listed with a reason', () => {
    const left = pages.flatMap(({ file, blocks }) =>
      blocks.filter((block) => isShell(block) && !isRun(block)).map((block) => ({ file, line: firstLineOf(block) })),
    );
    expect(left.filter(({ line }) => !(line in notRun))).toEqual([]);
    expect(Object.keys(notRun).filter((line) => !left.some((block) => block.line === line))).toEqual([]);
  });

  it('is marked on its page when it is not run, except for two blocks of the README', () => {
    const unmarked = pages.flatMap(({ file, blocks }) =>
      blocks.filter((block) => block.info === 'sh' && !isRun(block)).map(() => file),
    );
    expect(unmarked).toEqual(['README.md', 'README.md']);
  });
});
