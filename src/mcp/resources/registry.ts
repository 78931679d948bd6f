import type { Resource } from './resource.ts';

/** Every resource, in the order in which clients show them. */
export const resources: readonly Resource[] = [];
