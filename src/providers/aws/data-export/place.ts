import { fix, invalid } from '../../../kit/errors.ts';

/** Where a Data Export is delivered. */
export interface ExportPlace {
  readonly bucket: string;
  readonly exportName: string;
  /** Folder of the export in the bucket, ending with `/`. */
  readonly root: string;
}

/** @param prefix with or without slashes around it; '' for none */
export function exportPlace(bucket: string, prefix: string, exportName: string): ExportPlace {
  const folders = [...prefix.split('/'), exportName].filter((name) => name !== '');
  return { bucket, exportName, root: `${folders.join('/')}/` };
}

/** The key of a data file that a manifest names, as a whole URI, a key of the bucket, or one of the export's folder.
 *  @throws {AppError} VALIDATION_ERROR when it is in another bucket or folder: what a manifest says must not lead elsewhere */
export function keyInExport(uri: string, place: ExportPlace, manifestKey: string): string {
  const remote = /^s3[an]?:\/\/([^/]+)\/(.*)$/is.exec(uri);
  const [, bucket = place.bucket, path = uri] = remote ?? [];
  const trimmed = path.replace(/^\/+/, '');
  const key = !remote && trimmed.startsWith('data/') ? place.root + trimmed : trimmed;
  const isInside = key.startsWith(`${place.root}data/`) && !key.split('/').includes('..');
  if (bucket === place.bucket && isInside) return key;
  throw invalid`Manifest "${manifestKey}" names "${uri}", which is not in s3://${place.bucket}/${place.root}data/${fix}connect the bucket and prefix that the export itself delivers to; copies of another export are not read`;
}
