import { expect, it } from 'vitest';
import { mcpWorld } from './world.ts';

const world = mcpWorld();

it('lists every tool', async () => {
  const { tools } = await world().client.listTools();
  expect(Array.isArray(tools)).toBe(true);
});
