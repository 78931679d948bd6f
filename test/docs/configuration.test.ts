import { describe, expect, it } from 'vitest';
import { SECRET_VARIABLES, variables } from '../../src/kit/config/variables.ts';
import { fileVariable } from '../../src/kit/config/secret-files.ts';
import { MCP_SECRETS, variables as mcpVariables } from '../../src/mcp/settings.ts';
import { readPage, readPages } from './pages.ts';

interface Row {
  readonly name: string;
  readonly fallback: string;
}

const { prose, blocks } = readPage('docs/configuration.md');
const [ofServer = '', ofMcp = ''] = prose.split('\n## MCP server\n');

/** The rows of the tables of variables: name, meaning, default. */
function rowsIn(text: string): Row[] {
  const rows = text.matchAll(/^\| `(?<name>[A-Z0-9_]+)` *\|.*\| (?<fallback>[^|]*?) *\|$/gm);
  return [...rows].map(({ groups }) => ({ name: groups?.['name'] ?? '', fallback: groups?.['fallback'] ?? '' }));
}

/** Variables described in a sentence instead of a table. */
const inSentences = ['REGISTRATION'];

/** Other names in capitals: variables of other programs, error codes, placeholders of setup guides. */
const others = new Set([
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'VALIDATION_ERROR',
  'UPPER_CASE',
  'COSTKEEP_PRINCIPAL_ARN',
  'COSTKEEP_BIND',
  'COSTKEEP_IMAGE',
  'COSTKEEP_PORT',
  'MCP_PORT',
]);

/** Variables that the OpenTelemetry SDK reads itself. */
const isOpenTelemetry = (name: string) => name.startsWith('OTEL_');

/** Defaults that depend on the machine. */
const ofMachine = new Set(['ENGINE_THREADS']);

const secrets = [...SECRET_VARIABLES, ...MCP_SECRETS];

describe('configuration page', () => {
  it('lists the variables that can be files', () => {
    const [, section = ''] = /\n## Secrets in files\n(.*?)\n## /s.exec(prose) ?? [];
    const [, list = ''] = /This applies to (.*?) of the MCP/s.exec(section) ?? [];
    expect([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(secrets);
  });

  it('describes exactly the variables of the server', () => {
    const described = [...rowsIn(ofServer).map(({ name }) => name), ...inSentences];
    expect(described.sort()).toEqual(Object.keys(variables.shape).sort());
    for (const name of inSentences) expect(ofServer).toContain(`\`${name}\``);
  });

  it('describes exactly the variables of the MCP server', () => {
    const described = rowsIn(ofMcp).map(({ name }) => name);
    expect(described.sort()).toEqual(Object.keys(mcpVariables.shape).sort());
  });

  it('shows an example that the server accepts', () => {
    const example = blocks.find(({ info }) => info === 'ini')?.text ?? '';
    const lines = [...example.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
    expect(lines.length).toBeGreaterThan(5);
    expect(variables.strict().safeParse(Object.fromEntries(lines)).error?.issues).toBeUndefined();
  });

  it.each([
    ['the server', ofServer, variables.parse({})],
    ['the MCP server', ofMcp, mcpVariables.parse({})],
  ])('states the defaults of %s', (_, text, defaults) => {
    const known = Object.entries(defaults).filter(([, value]) => ['string', 'number'].includes(typeof value));
    const documented = new Map(rowsIn(text).map(({ name, fallback }) => [name, fallback]));
    const wrong = known.filter(([name, value]) => {
      const isStated = documented.get(name)?.includes(`\`${String(value)}\``);
      return !isStated && !ofMachine.has(name) && !inSentences.includes(name);
    });
    expect(wrong).toEqual([]);
  });
});

describe('pages', () => {
  it('mention only variables that exist', () => {
    const own = [...Object.keys(variables.shape), ...Object.keys(mcpVariables.shape)];
    const known = new Set([...own, ...secrets.map(fileVariable), 'NAME_FILE', 'COSTKEEP_INIT', ...others]);
    const named = readPages().flatMap(({ file, prose: text, blocks: fenced }) => {
      const shell = fenced.filter(({ info }) => /^(sh|ini)\b/.test(info)).map((block) => block.text);
      const assigned = shell.flatMap((block) => [...block.matchAll(/^([A-Z]+(?:_[A-Z]+)+)=\S+ (?:npm|[A-Z])/gm)]);
      const inText = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)];
      return [...assigned, ...inText].map(([, name = '']) => ({ file, name }));
    });
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ name }) => !known.has(name) && !isOpenTelemetry(name))).toEqual([]);
  });

  it('show no example that looks like a real secret', () => {
    const examples = readPages().flatMap((page) => page.blocks.map(({ text }) => text));
    const keys = examples.filter((text) =>
      [...SECRET_VARIABLES].some((name) => new RegExp(`^${name}=[\\w+/]{43}=`, 'm').test(text)),
    );
    expect(keys).toEqual([]);
  });
});
