import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { exampleTabs } from '../../../src/surfaces/graphql/examples.ts';
import { worldOfFile } from '../../support/world.ts';

const at = worldOfFile();
const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('GraphiQL', () => {
  it('opens in browsers with a token field, and loads nothing from other origins', async () => {
    const response = await fetch(`${at().url}/graphql`, { headers: html });
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page).toContain('<label for="token">Access token</label>');
    expect(page.match(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g)).toBeNull();
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none';script-src 'self';/);
  });

  it.each([
    'graphiql.js',
    'graphiql.css',
    'start.js',
    'start.css',
    'editor.worker.js',
    'json.worker.js',
    'graphql.worker.js',
  ])('serves its file %s', async (file) => {
    const response = await fetch(`${at().url}/graphql/assets/${file}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/);
    expect((await response.text()).length).toBeGreaterThan(100);
  });

  it('does not open for API clients', async () => {
    const response = await fetch(`${at().url}/graphql?query={__typename}`, {
      headers: { ...html, authorization: 'x' },
    });
    expect(response.headers.get('content-type')).toContain('json');
  });

  it('has examples that are valid for the schema', () => {
    const schema = buildSchema();
    for (const { query } of exampleTabs) expect(validate(schema, parse(query))).toEqual([]);
  });
});
