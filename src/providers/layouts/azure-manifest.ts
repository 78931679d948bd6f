import { z } from 'zod';
import { fix, invalid } from '../../kit/errors.ts';
import type { ListedFile } from './listing.ts';
import { folderOf } from './manifest.ts';

// Manifest versions 2021-01-01 (without exportConfig and runInfo) and 2024-04-01 of Cost Management exports.
const shape = z.object({
  blobCount: z.number().nullish(),
  exportConfig: z
    .object({ exportName: z.string().nullish(), resourceId: z.string().nullish(), type: z.string().nullish() })
    .nullish(),
  runInfo: z
    .object({ submittedTime: z.string().nullish(), startDate: z.string().nullish(), endDate: z.string().nullish() })
    .nullish(),
  blobs: z
    .array(z.object({ blobName: z.string(), byteCount: z.number().nullish(), dataRowCount: z.number().nullish() }))
    .nullish(),
});

/** One part of a run. Null: the manifest does not say. */
export interface AzureBlob {
  readonly name: string;
  readonly byteCount: number | null;
  readonly rowCount: number | null;
}

/** One run of an Azure export: a whole snapshot of its days. */
export interface AzureRun {
  readonly file: ListedFile;
  /** What is billed: the scope of the export, else its name, else the folder above the run. */
  readonly subject: string;
  /** `FocusCost`, `ActualCost` …; null in old manifests whose folders do not say it either. */
  readonly type: string | null;
  readonly submittedAt: Date;
  /** First and last day, inclusive; null where neither manifest nor path says. */
  readonly days: { readonly first: string; readonly last: string } | null;
  readonly blobs: readonly AzureBlob[];
}

const period = /(?:^|\/)(\d{4})(\d{2})(\d{2})-(\d{4})(\d{2})(\d{2})\//;

/** The part of a key above its period folder (`yyyymmdd-yyyymmdd`), or null where it has none. */
export function abovePeriod(key: string): { root: string; folder: string } | null {
  const found = period.exec(key);
  if (!found) return null;
  const start = found.index + (found[0].startsWith('/') ? 1 : 0);
  return { root: key.slice(0, start), folder: key.slice(0, found.index + found[0].length) };
}

/** What an Azure manifest says, or null when the JSON is of something else that happens to be named `manifest.json`.
 *  @throws {AppError} VALIDATION_ERROR when it contradicts itself. */
export function parseAzureManifest(content: unknown, file: ListedFile): AzureRun | null {
  const parsed = shape.safeParse(content);
  if (!parsed.success || (parsed.data.blobs == null && parsed.data.blobCount == null)) return null;
  const { blobs, blobCount, exportConfig, runInfo } = parsed.data;
  const parts = blobs ?? [];
  if (blobCount != null && blobCount !== parts.length) {
    throw invalid`Manifest "${file.key}" promises ${blobCount} files and names ${parts.length}${fix}copy the run again`;
  }
  return {
    file,
    subject: subjectOf(exportConfig, file.key),
    type: exportConfig?.type ?? typeOf(file.key),
    submittedAt: instant(runInfo?.submittedTime) ?? file.modifiedAt,
    days: daysOf(runInfo, file.key),
    blobs: parts.map((blob) => ({
      name: blob.blobName,
      byteCount: blob.byteCount ?? null,
      rowCount: blob.dataRowCount ?? null,
    })),
  };
}

/** Two exports over one scope (month to date, and the closed month) hold the same charges: the scope decides, not the name. */
function subjectOf(
  config: { resourceId?: string | null | undefined; exportName?: string | null | undefined } | null | undefined,
  key: string,
): string {
  const id = config?.resourceId?.toLowerCase();
  if (id) return id.split('/providers/microsoft.costmanagement/exports/')[0] ?? id;
  if (config?.exportName) return `export ${withoutKind(config.exportName.toLowerCase())}`;
  return `folder ${withoutKind(abovePeriod(key)?.root ?? folderOf(folderOf(key).slice(0, -1)))}`;
}

/** The exports of actual and of amortized costs of one scope are told apart by their names alone, where a manifest names
 *  neither scope nor type. */
function withoutKind(name: string): string {
  return name.replace(/[-_ ]?(actual|amorti[sz]ed)[-_ ]?(costs?)?/gi, '');
}

function typeOf(key: string): string | null {
  const root = abovePeriod(key)?.root ?? key;
  if (/amorti[sz]ed/i.test(root)) return 'AmortizedCost';
  return /actual[-_ ]?cost/i.test(root) ? 'ActualCost' : null;
}

function daysOf(
  run: { startDate?: string | null | undefined; endDate?: string | null | undefined } | null | undefined,
  key: string,
): AzureRun['days'] {
  const [, y1, m1, d1, y2, m2, d2] = period.exec(key) ?? [];
  const first = dayOf(run?.startDate) ?? (y1 ? `${y1}-${m1}-${d1}` : null);
  if (!first) return null;
  const last = dayOf(run?.endDate) ?? (y2 ? `${y2}-${m2}-${d2}` : null);
  return { first, last: last ?? `${first.slice(0, 7)}-31` };
}

function dayOf(text: string | null | undefined): string | null {
  return text && /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : null;
}

/** Azure writes seven decimals of a second, and now and then no zone: UTC. */
function instant(text: string | null | undefined): Date | null {
  if (!text) return null;
  const at = new Date(/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}
