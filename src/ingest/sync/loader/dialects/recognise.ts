import type { Columns } from '../layout.ts';
import { azureDetails } from './azure-details.ts';
import { awsReport } from './aws-report.ts';
import type { Dialect } from './dialect.ts';

/** The dialect of a file by its header; null: FOCUS, or nothing that is known. */
export function recogniseDialect(columns: Columns): Dialect | null {
  return awsReport(columns) ?? azureDetails(columns);
}
