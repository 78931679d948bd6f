import type { Detector } from '../../detector.ts';
import { shareOf, wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import type { Usage } from '../../subject.ts';
import { isLicence, machineHoursOf, sizeHoursOf } from './vm-hours.ts';

/** The licence's share of a price that has it built in, in percent: what Microsoft names as Azure Hybrid Benefit's saving on
 *  Windows Server machines. */
const builtIn = 40;
const windows = /\bwindows\b/i;
const sql = /sql server/i;

/** Whoever owns Windows Server licences with Software Assurance need not rent them by the hour. Catalogue 64. */
export const ahbWindows: Detector = {
  type: 'azure_ahb_windows',
  summary: 'Virtual machine with a rented Windows license',
  provider: 'azure',
  about: 'resource',
  detect(subject, { window }) {
    const { licenseType } = subject.metadata;
    if (licenseType !== undefined && licenseType !== null && /^windows_/i.test(licenseType)) return null;
    const licences = machineHoursOf(subject).filter((usage) => isLicence(usage) && isWindows(usage));
    const machines = sizeHoursOf(subject).filter(isWindows);
    const savings = [...wholeOf(licences, window), ...shareOf(machines, builtIn, window)];
    if (savings.length === 0) return null;
    return {
      title: `Use your own Windows Server license on ${subject.name}`,
      description:
        'Its Windows license is rented by the hour. If you have Windows Server licenses with Software Assurance ' +
        'or as a subscription, Azure Hybrid Benefit ends this charge; without such licenses it must not be turned ' +
        'on.',
      savings,
      confidence: 'low',
      method: 'upper_bound',
      evidence: { license_type: licenseType ?? null, licence_meters: licences.length, built_in_percent: builtIn },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Turn on Azure Hybrid Benefit',
          script: sh`az vm update --ids=${subject.nativeId} --license-type=Windows_Server`,
          reversible: true,
        },
      ],
    };
  },
};

function isWindows({ meter, description, service }: Usage): boolean {
  const text = `${service} ${meter} ${description}`;
  return windows.test(text) && !sql.test(text);
}
