import { accounts } from './accounts.ts';
import { glossary } from './glossary.ts';
import type { Resource } from './resource.ts';

/** Every resource, in the order in which clients show them. */
export const resources: readonly Resource[] = [glossary, accounts];
