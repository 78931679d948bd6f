import { words } from '../words/format.ts';

/** Title of an anomaly, such as `Amazon S3: spike`. */
export function anomalyTitle({ service, kind }: { readonly service: string; readonly kind: string }): string {
  return `${service}: ${words(kind).toLowerCase()}`;
}
