import { aws } from '../../src/demo/aws/cloud.ts';
import { azure } from '../../src/demo/azure/cloud.ts';
import type { DemoProvider } from '../../src/demo/bill/line-item.ts';
import type { WasteKind } from '../../src/demo/bill/meter.ts';
import { gcp } from '../../src/demo/gcp/cloud.ts';

/** Known waste in the sample organization. */
export interface DemoWaste {
  readonly provider: DemoProvider;
  /** FOCUS ResourceId on the bill. */
  readonly nativeId: string;
  readonly kind: WasteKind;
}

/** All known waste of the sample, the same every day. Unused commitments appear on the bill as such. */
export const demoWaste: readonly DemoWaste[] = [aws, azure, gcp].flatMap(({ provider, meters }) =>
  meters.flatMap(({ resource, waste }) => waste.map((kind) => ({ provider, nativeId: resource?.id ?? '', kind }))),
);
