import type { AnyTool } from './tool.ts';

/** Every tool, in the order in which clients show them. */
export const tools: readonly AnyTool[] = [];
