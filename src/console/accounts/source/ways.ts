import type { Provider } from '../queries.ts';
import { aws } from './aws.ts';
import { azure } from './azure.ts';
import { focus } from './focus.ts';
import { gcp } from './gcp.ts';
import type { Way } from './way.ts';

/** The ways of connecting each provider, the best first. */
export const ways = { AWS: aws, AZURE: azure, GCP: gcp, FOCUS: focus } as const satisfies Record<
  Provider,
  readonly Way[]
>;
