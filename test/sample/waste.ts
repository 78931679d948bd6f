import { aws } from '../../src/sample/aws/cloud.ts';
import { azure } from '../../src/sample/azure/cloud.ts';
import type { SampleProvider } from '../../src/sample/bill/line-item.ts';
import type { WasteKind } from '../../src/sample/bill/meter.ts';
import { gcp } from '../../src/sample/gcp/cloud.ts';

/** Known waste in the sample organization. */
export interface SampleWaste {
  readonly provider: SampleProvider;
  /** FOCUS ResourceId on the bill. */
  readonly nativeId: string;
  readonly kind: WasteKind;
}

/** All known waste of the sample, the same every day. Unused commitments appear on the bill as such. */
export const sampleWaste: readonly SampleWaste[] = [aws, azure, gcp].flatMap(({ provider, meters }) =>
  meters.flatMap(({ resource, waste }) => waste.map((kind) => ({ provider, nativeId: resource?.id ?? '', kind }))),
);
