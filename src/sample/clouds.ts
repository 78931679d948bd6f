import { aws } from './aws/cloud.ts';
import { azure } from './azure/cloud.ts';
import type { Cloud } from './bill/cloud.ts';
import type { SampleProvider } from './bill/line-item.ts';
import { gcp } from './gcp/cloud.ts';

/** The clouds of the sample organization. */
export const sampleClouds = { aws, azure, gcp } as const satisfies Record<SampleProvider, Cloud>;

export function isSampleProvider(text: string | null): text is SampleProvider {
  return text !== null && Object.hasOwn(sampleClouds, text);
}
