import { detectorsOf, irreversible, reversible, type Row } from '../detector.ts';
import { nonProductionTag } from '../nonproduction.ts';
import { repriced } from '../repriced.ts';
import { hcl, sh } from '../script.ts';
import { hasMeter, onDemandOf, usageOf, wholeOf } from '../subject.ts';
import { isOf } from './names.ts';

/** Saving of a zonal database compared with a regional one, in percent: each regional SKU has twice the price of the zonal one
 *  (Google's price list). */
const zonalSaving = 50;
const regional = /: Regional - /i;

/** Matches SKUs of the Standard class, such as `Standard Storage Belgium`. */
const standard = /^Standard Storage\b/i;

const logStorage: Omit<Row, 'type' | 'about' | 'title' | 'summary'> = {
  description:
    'Log storage above the free 50 GiB per project and month is billed. Exclude entries that are not needed, ' +
    'such as debug and health check entries, before they are stored. The amount is the whole charge: the ' +
    'saving depends on how much you exclude.',
  confidence: 'low',
  method: 'upper_bound',
  find: (subject, { window }) => ({
    savings: wholeOf(
      usageOf(subject, /^Log Storage cost/i).filter(({ cost }) => cost > 0n),
      window,
    ),
    evidence: { project: subject.subAccount },
  }),
  // Not `<=`: entries without a severity are below DEBUG, and most programs do not set one.
  script: irreversible(
    'Exclude debug entries from the default log storage of the project; excluded entries are lost',
    ({ subAccount }) =>
      sh`gcloud logging sinks update _Default --project=${subAccount} --add-exclusion=${'name=costkeep-debug,filter=severity=DEBUG'}`,
  ),
  terraform: irreversible(
    'The same as a Terraform resource',
    ({ subAccount }) => hcl`
resource "google_logging_project_exclusion" "debug" {
  project     = ${subAccount}
  name        = "costkeep-debug"
  description = "Debug entries cost more than they are worth"
  filter      = "severity = DEBUG"
}`,
  ),
};

/** Detectors for Cloud SQL, Cloud Storage and Cloud Logging. */
export const gcpManaged = detectorsOf('gcp', [
  {
    type: 'gcp_cloudsql_ha_nonprod',
    summary: 'Highly available non-production database',
    title: ({ name }) => `Run the database ${name} in a single zone`,
    description: (_, { environment }) =>
      `Its labels mark it as non-production (${environment}), and its standby in a second zone doubles ` +
      'its cost. The change restarts the database; backups are not affected.',
    confidence: 'high',
    method: 'factor',
    find(subject, context) {
      const environment = nonProductionTag(subject);
      if (environment === null || subject.metadata.multiAz === false) return null;
      const usage = onDemandOf(subject, regional).filter(({ meter }) => meter.startsWith('Cloud SQL'));
      const { savings, method } = repriced(
        usage,
        context,
        ({ meter }) => context.prices.priceOf(subject, meter.replace(regional, ': Zonal - ')),
        zonalSaving,
      );
      const meters = usage.map(({ meter }) => meter);
      return { savings, method, evidence: { environment, meters, percent: method === 'factor' ? zonalSaving : null } };
    },
    script: reversible('Run the database without a standby', ({ nativeId, subAccount }, name) =>
      isOf(nativeId, /^(sqladmin|cloudsql)$/, 'instances')
        ? sh`gcloud sql instances patch ${name} --project=${subAccount} --availability-type=zonal`
        : null,
    ),
  },
  {
    type: 'gcp_gcs_standard_cold',
    summary: 'Standard class bucket without reads',
    title: ({ name }) => `Turn on Autoclass for ${name}`,
    description:
      'Nothing was read from this bucket in the evaluated period, and its data is in the Standard class. ' +
      'Autoclass moves data that has not been read for 30 days to Nearline, and back when it is read, without ' +
      'retrieval fees; it costs a little for each object.',
    confidence: 'medium',
    method: 'factor',
    find(subject, context) {
      // Reads are billed as Class B operations and as traffic.
      const isRead = hasMeter(subject, /Class B (Operations|Request)|Data Transfer|Egress|Download/i);
      const isBucket = subject.nativeId.startsWith('//storage.googleapis.com/');
      if (!isBucket || isRead || subject.metadata.hasLifecyclePolicy === true) return null;
      const usage = onDemandOf(subject, standard).filter(({ days }) => days >= 28);
      // Nearline costs 0.010 instead of 0.020 USD per GiB in a region, 0.015 instead of 0.026 in several, rounded down
      // (Google's price list, US and EU).
      const share = usage.some(({ meter }) => /\b(Multi|Dual)-region/i.test(meter)) ? 40 : 50;
      const { savings, method } = repriced(
        usage,
        context,
        ({ meter }) => context.prices.priceOf(subject, meter.replace(standard, 'Nearline Storage')),
        share,
      );
      const isWritten = hasMeter(subject, /Class A (Operations|Request)/i);
      return {
        savings,
        method,
        // Recently written data stays in Standard for a month.
        confidence: isWritten ? 'low' : 'medium',
        evidence: { reads: 0, is_written: isWritten, percent: method === 'factor' ? share : null },
      };
    },
    script: reversible(
      'Turn on Autoclass',
      (_, bucket) => sh`gcloud storage buckets update ${`gs://${bucket}`} --enable-autoclass`,
    ),
  },
  {
    // For bills that name the log bucket.
    type: 'gcp_logging_storage',
    summary: 'Log bucket with storage above the free allowance',
    title: ({ name }) => `Store fewer logs in ${name}`,
    ...logStorage,
  },
  {
    // For bills that only name the project.
    type: 'gcp_logging_storage_project',
    summary: 'Project with log storage above the free allowance',
    about: 'scope',
    title: ({ subAccount }) => `Store fewer logs in ${subAccount}`,
    ...logStorage,
  },
]);
