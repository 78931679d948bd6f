import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrows } from './support/arrows.ts';

// The import rules of docs/architecture.md: data flows from the providers to the surfaces, and imports follow the flow.

const root = path.resolve(import.meta.dirname, '..');

interface Import {
  /** Relative to the repository, such as `src/facts/costs/run.ts`. */
  readonly from: string;
  /** The same for our own files; the package name for others. */
  readonly to: string;
}

/** Allowed exceptions, with the reason. */
const exceptions: readonly Import[] = [
  // Deps only refers to the interfaces; nothing of them is loaded.
  { from: 'src/kit/deps.ts', to: 'src/jobs/queue.ts' },
  { from: 'src/kit/deps.ts', to: 'src/engine/engine.ts' },
  { from: 'src/kit/deps.ts', to: 'src/engine/stores/fact-store.ts' },
];

function filesIn(folder: string): string[] {
  const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name));
  return files.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

function importsOf(from: string): Import[] {
  const source = fs.readFileSync(path.join(root, from), 'utf8');
  const found = source.matchAll(
    /^(?:import|export)\b[^;'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms,
  );
  return [...found].map((match) => ({ from, to: target(from, match[1] ?? match[2] ?? match[3] ?? '') }));
}

function target(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return path.join(path.dirname(from), specifier);
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

/** `facts` for `src/facts/costs/run.ts`; null for a file directly in `src/`, or outside it. */
function areaOf(file: string): string | null {
  const [top, area, ...rest] = file.split('/');
  return top === 'src' && area && rest.length > 0 ? area : null;
}

const imports = filesIn('src').flatMap(importsOf);
const show = (list: readonly Import[]) => list.map(({ from, to }) => `${from} imports ${to}`);

const isGraph = ({ from }: Import) =>
  /^src\/(graph|surfaces)\//.test(from) || /\/graphql(-types|-inputs)?\.ts$/.test(from);

describe('imports', () => {
  it('are found', () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  it('follow the direction of the data flow', () => {
    const against = imports.filter(({ from, to }) => {
      const [own, other] = [areaOf(from), areaOf(to)];
      if (own === null || other === null || own === other) return false;
      // Each area deletes its own rows of an account.
      if (from === 'src/ingest/accounts/purge.ts' && to.endsWith('/delete-account.ts')) return false;
      // Sample data includes records of other areas, created as a member would.
      if (from === 'src/ingest/samples/content.ts' && to.endsWith('/change.ts')) return false;
      return !arrows[own]?.includes(other) && !exceptions.some((known) => known.from === from && known.to === to);
    });
    expect(show(against)).toEqual([]);
  });

  it('reach the composition root only from the composition root', () => {
    const upwards = imports.filter(({ from, to }) => areaOf(from) !== null && /^src\/[^/]+\.ts$/.test(to));
    // The demo is a server with a demo organization.
    expect(show(upwards.filter(({ from }) => areaOf(from) !== 'demo'))).toEqual([]);
  });

  it('keep GraphQL in graphql*.ts files, the graph and the surfaces', () => {
    const packages = /^(@pothos\/|graphql$|graphql-yoga$|graphql-scalars$|sofa-api$)/;
    const outside = imports.filter((one) => !isGraph(one) && (packages.test(one.to) || areaOf(one.to) === 'graph'));
    expect(show(outside.filter(({ from }) => !from.startsWith('src/tenancy/limits/')))).toEqual([]);
  });

  it('use a store only within its own area', () => {
    const foreign = imports.filter(({ from, to }) => {
      if (!/(\/|-)store\.ts$/.test(to) || areaOf(from) === areaOf(to)) return false;
      // Files directly in `src/` are the composition root.
      if (areaOf(from) === null) return false;
      // It stores files, not rows.
      if (to === 'src/engine/stores/fact-store.ts') return false;
      // Ingest writes the facts; every area writes the audit log in the transaction of the audited change.
      const isIngest = areaOf(from) === 'ingest' && areaOf(to) === 'facts';
      return !isIngest && to !== 'src/tenancy/audit/store.ts';
    });
    expect(show(foreign)).toEqual([]);
  });

  it('keep server code out of the console', () => {
    const ours = imports.filter(({ from, to }) => areaOf(from) === 'console' && to.startsWith('src/'));
    // Rules shared with the server: complete and compared days, the expected cost of a month, names of providers, short names of
    // services, names that connect accounts, and CSV parsing. They need nothing else.
    const shared = new Set([
      'src/kit/time/compared-days.ts',
      'src/kit/time/period.ts',
      'src/kit/text/provider-name.ts',
      'src/kit/text/recommendation-type.ts',
      'src/kit/text/service-aliases.ts',
      'src/kit/text/cloud-names.ts',
      'src/kit/text/csv-parse.ts',
      'src/kit/text/missing-bills.ts',
      'src/kit/expected-cost.ts',
    ]);
    expect(show(ours.filter(({ to }) => areaOf(to) !== 'console' && !shared.has(to)))).toEqual([]);
    const foreign = imports.filter(({ from, to }) => areaOf(from) !== 'console' && areaOf(to) === 'console');
    expect(show(foreign)).toEqual([]);
  });

  it('keep the kernel of access control free of its siblings', () => {
    const siblings = imports.filter(
      ({ from, to }) =>
        from.startsWith('src/tenancy/auth/') && areaOf(to) === 'tenancy' && !to.startsWith('src/tenancy/auth/'),
    );
    expect(show(siblings)).toEqual([]);
  });

  it('keep database clients out of the providers', () => {
    const used = imports.filter(({ from, to }) => areaOf(from) === 'providers' && /^(pg|@prisma\/|prisma\/)/.test(to));
    expect(show(used)).toEqual([]);
  });
});

describe('files', () => {
  it.each([
    ['src', 400],
    ['test', 600],
  ])('in %s have at most %i lines', (folder, most) => {
    const lines = (file: string) => fs.readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n').length;
    expect(filesIn(folder).filter((file) => lines(file) > most)).toEqual([]);
  });
});
