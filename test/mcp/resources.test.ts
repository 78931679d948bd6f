import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { glossary } from '../../src/mcp/resources.ts';
import { tools } from '../../src/mcp/tools/registry.ts';
import { connectTo, mcpWorld } from './world.ts';

const world = mcpWorld();

async function read(uri: string, client = world().client): Promise<{ text: string; mimeType: string | undefined }> {
  const { contents } = await client.readResource({ uri });
  expect(contents).toHaveLength(1);
  const [content] = contents;
  expect(content?.uri).toBe(uri);
  return { text: content && 'text' in content ? content.text : '', mimeType: content?.mimeType };
}

describe('resources', () => {
  it('are the glossary and the accounts', async () => {
    const { resources } = await world().client.listResources();
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['costkeep://glossary', 'text/markdown'],
      ['costkeep://accounts', 'application/json'],
    ]);
    expect(resources.every(({ title, description }) => title !== undefined && description !== undefined)).toBe(true);
  });

  it('explain the terms used by the tools', async () => {
    const { text, mimeType } = await read('costkeep://glossary');
    expect(mimeType).toBe('text/markdown');
    const schemas = JSON.stringify(tools.map(({ input, output }) => [input.toJSONSchema(), output.toJSONSchema()]));
    const known = new Set(schemas.match(/\w+/g));
    const words = [...text.matchAll(/`([a-z0-9_]+)`/g)].map(([, word]) => word ?? '');
    // Slugs of providers and states, and values of dimensions, are data, not schema.
    const categories = ['usage', 'purchase', 'tax', 'credit', 'adjustment'];
    const data = new Set(['aws', 'azure', 'gcp', 'global', ...categories]);
    expect(words.filter((word) => !known.has(word) && !data.has(word))).toEqual([]);
    expect(await glossary.read({} as never)).toBe(text);
  });

  it('show the current accounts', async () => {
    const { prod, lab } = world().accounts;
    const { text, mimeType } = await read('costkeep://accounts');
    expect(mimeType).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({
      as_of: '2026-11-21T10:00:00.000Z',
      total: 2,
      accounts: [
        { id: lab, name: 'lab', data_from: '2026-08-01', complete_through: '2026-11-19' },
        { id: prod, name: 'prod' },
      ],
    });
  });

  it('return an error when they cannot be read', async () => {
    const { client, close } = await connectTo(world().url, `svc_${randomUUID()}`);
    await expect(read('costkeep://accounts', client)).rejects.toThrow(/UNAUTHENTICATED|UNAUTHORIZED/);
    await expect(read('costkeep://budgets')).rejects.toThrow('costkeep://budgets');
    await close();
  });
});
