import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { hcl, sh } from '../../script.ts';
import type { Subject } from '../../subject.ts';
import { usageOf } from '../../subject.ts';

/** What is ingested beyond a project's free 50 GiB a month. */
const logStorage = /^Log Storage cost/i;

/** Logs that are worth less than they cost can be left out before they are stored. Catalogue 81. */
const loggingDetector = (type: string, about: Subject['about']): Detector => ({
  type,
  summary: 'Log storage above the free allowance',
  provider: 'gcp',
  about,
  detect(subject, { window }) {
    const usage = usageOf(subject, logStorage).filter(({ cost }) => cost > 0n);
    if (usage.length === 0) return null;
    return {
      title: `Store fewer logs in ${subject.about === 'scope' ? subject.subAccount : subject.name}`,
      description:
        'Log storage above the free 50 GiB per project and month is billed. Exclude entries that are not needed, ' +
        'such as debug and health check entries, before they are stored. The amount is the whole charge: the ' +
        'saving depends on how much you exclude.',
      savings: wholeOf(usage, window),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { project: subject.subAccount },
      scripts: () => [
        {
          kind: 'gcloud',
          // Not `<=`: entries without a severity are below DEBUG, and most programs write none.
          title: 'Exclude debug entries from the default log storage of the project; excluded entries are lost',
          script: sh`gcloud logging sinks update _Default --project=${subject.subAccount} --add-exclusion=${'name=costkeep-debug,filter=severity=DEBUG'}`,
          reversible: false,
        },
        {
          kind: 'terraform',
          title: 'The same as a Terraform resource',
          script: hcl`
resource "google_logging_project_exclusion" "debug" {
  project     = ${subject.subAccount}
  name        = "costkeep-debug"
  description = "Debug entries cost more than they are worth"
  filter      = "severity = DEBUG"
}`,
          reversible: false,
        },
      ],
    };
  },
});

/** Where the bill names the log bucket. */
export const loggingStorage = loggingDetector('gcp_logging_storage', 'resource');
/** Where it names the project alone. */
export const loggingStorageProject = loggingDetector('gcp_logging_storage_project', 'scope');
