import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh, type Script } from '../../script.ts';
import { shortId, type Subject, type Usage, usageOf } from '../../subject.ts';
import { armParts, armType } from './arm.ts';

/** Meters of rented licences: `SQL Server Standard ... License` on machines, `SQL License` on databases and instances. Under
 *  the benefit the same meters are billed at nothing, and say so. */
const rented = /sql server|sql licen[cs]e/i;
const benefit = /hybrid benefit/i;

/** Whoever owns SQL Server licences with Software Assurance need not rent them by the hour. Catalogue 65. */
export const ahbSql: Detector = {
  type: 'azure_ahb_sql',
  summary: 'Rented SQL Server license',
  provider: 'azure',
  about: 'resource',
  detect(subject, { window }) {
    const { licenseType } = subject.metadata;
    if (licenseType && /^(ahub|baseprice)$/i.test(licenseType)) return null;
    const usage = usageOf(subject).filter(isRented);
    if (usage.length === 0) return null;
    return {
      title: `Use a SQL Server licence of your own for ${subject.name}`,
      description:
        'Its SQL Server license is rented by the hour. If you have such licenses with Software Assurance or as a ' +
        'subscription, Azure Hybrid Benefit ends this charge; without such licenses it must not be turned on.',
      savings: wholeOf(usage, window),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { license_type: licenseType ?? null, licence_meters: usage.map(({ meter }) => meter) },
      scripts: () => scriptsFor(subject),
    };
  },
};

function isRented({ service, meter, description }: Usage): boolean {
  const text = `${meter} ${description}`;
  if (benefit.test(text)) return false;
  return rented.test(text) && (/licen[cs]e/i.test(`${service} ${text}`) || /^SQL Server\b/i.test(meter));
}

/** The command differs by what holds the licence; empty for what is none of these. */
function scriptsFor(subject: Subject): Script[] {
  const parts = armParts(subject.nativeId);
  const command = () => {
    switch (armType(subject.nativeId)) {
      case 'microsoft.sql/managedinstances':
        return sh`az sql mi update --ids=${subject.nativeId} --license-type=BasePrice`;
      case 'microsoft.sql/servers/databases':
        return sh`az sql db update --ids=${subject.nativeId} --license-type=BasePrice`;
      case 'microsoft.compute/virtualmachines':
      case 'microsoft.sqlvirtualmachine/sqlvirtualmachines':
        // The licence is set on the SQL virtual machine, which is named as the machine is.
        return parts === null
          ? null
          : [
              sh`az sql vm update --subscription=${parts.subscription} --resource-group=${parts.group}`,
              sh`--name=${shortId(subject.nativeId)} --license-type=AHUB`,
            ].join(' ');
      default:
        return null;
    }
  };
  const script = command();
  return script === null
    ? []
    : [{ kind: 'azure_cli', title: `Use your own SQL Server license for ${subject.name}`, script, reversible: true }];
}
