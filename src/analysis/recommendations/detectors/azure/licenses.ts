import { detectorsOf, reversible } from '../detector.ts';
import { sh } from '../script.ts';
import { shareOf, shortId, usageOf, wholeOf, type Subject, type Usage } from '../subject.ts';
import { armParts, armType } from './arm.ts';
import { isLicense, machineHoursOf, sizeHoursOf } from './compute.ts';

/** The license's share of a price that includes it, in percent: Microsoft's figure for the saving of Azure Hybrid Benefit on
 *  Windows Server machines. */
const includedPercent = 40;

/** Detectors for Azure Hybrid Benefit, for licenses with Software Assurance. */
export const azureLicenses = detectorsOf('azure', [
  {
    type: 'azure_ahb_windows',
    summary: 'Virtual machine with a pay-as-you-go Windows license',
    title: ({ name }) => `Use your own Windows Server license on ${name}`,
    description:
      'Its Windows license is pay-as-you-go, billed by the hour. If you have Windows Server licenses with ' +
      'Software Assurance or as a subscription, Azure Hybrid Benefit ends this charge; without such licenses it ' +
      'must not be turned on.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const { licenseType } = subject.metadata;
      if (licenseType && /^windows_/i.test(licenseType)) return null;
      const licenses = machineHoursOf(subject).filter((usage) => isLicense(usage) && isWindows(usage));
      const machines = sizeHoursOf(subject).filter(isWindows);
      return {
        savings: [...wholeOf(licenses, window), ...shareOf(machines, includedPercent, window)],
        evidence: {
          license_type: licenseType ?? null,
          licence_meters: licenses.length,
          built_in_percent: includedPercent,
        },
      };
    },
    script: reversible(
      'Turn on Azure Hybrid Benefit',
      ({ nativeId }) => sh`az vm update --ids=${nativeId} --license-type=Windows_Server`,
    ),
  },
  {
    type: 'azure_ahb_sql',
    summary: 'Pay-as-you-go SQL Server license',
    title: ({ name }) => `Use your own SQL Server license for ${name}`,
    description:
      'Its SQL Server license is pay-as-you-go, billed by the hour. If you have such licenses with ' +
      'Software Assurance or as a subscription, Azure Hybrid Benefit ends this charge; without such licenses it ' +
      'must not be turned on.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const { licenseType } = subject.metadata;
      if (licenseType && /^(ahub|baseprice)$/i.test(licenseType)) return null;
      const usage = usageOf(subject).filter(isPayAsYouGoSql);
      return {
        savings: wholeOf(usage, window),
        evidence: { license_type: licenseType ?? null, licence_meters: usage.map(({ meter }) => meter) },
        scripts() {
          const script = sqlCommand(subject);
          if (script === null) return [];
          const title = `Use your own SQL Server license for ${subject.name}`;
          return [{ kind: 'azure_cli', title, script, reversible: true }];
        },
      };
    },
  },
]);

function isWindows({ meter, description, service }: Usage): boolean {
  const text = `${service} ${meter} ${description}`;
  return /\bwindows\b/i.test(text) && !/sql server/i.test(text);
}

/** Returns whether usage is a pay-as-you-go license: `SQL Server Standard ... License` on machines, `SQL License` on
 *  databases and instances. With the benefit the same meters are billed at zero and named accordingly. */
function isPayAsYouGoSql({ service, meter, description }: Usage): boolean {
  const text = `${meter} ${description}`;
  if (/hybrid benefit/i.test(text) || !/sql server|sql licen[cs]e/i.test(text)) return false;
  return /licen[cs]e/i.test(`${service} ${text}`) || /^SQL Server\b/i.test(meter);
}

/** Returns the command for the type of license holder; null for anything else. */
function sqlCommand({ nativeId }: Subject): string | null {
  const parts = armParts(nativeId);
  switch (armType(nativeId)) {
    case 'microsoft.sql/managedinstances':
      return sh`az sql mi update --ids=${nativeId} --license-type=BasePrice`;
    case 'microsoft.sql/servers/databases':
      return sh`az sql db update --ids=${nativeId} --license-type=BasePrice`;
    case 'microsoft.compute/virtualmachines':
    case 'microsoft.sqlvirtualmachine/sqlvirtualmachines':
      // The license is set on the SQL virtual machine, which has the same name as the machine.
      return (
        parts &&
        [
          sh`az sql vm update --subscription=${parts.subscription} --resource-group=${parts.group}`,
          sh`--name=${shortId(nativeId)} --license-type=AHUB`,
        ].join(' ')
      );
    default:
      return null;
  }
}
