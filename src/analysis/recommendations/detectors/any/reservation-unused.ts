import { sh } from '../../script.ts';
import { shortId } from '../../subject.ts';
import { unusedCommitment } from './unused-commitment.ts';

/** Reserved capacity, and Google's committed resources, that nothing uses. Catalogue 46, 70 and 82. */
export const reservationUnused = unusedCommitment({
  type: 'reservation_unused',
  summary: 'Partly unused reservation',
  kind: 'unused_reservation',
  title: (name) => `Use or return the reservation ${name}`,
  advice: {
    aws:
      'Start or resize instances that match it, modify its sizes and zone, share it with other accounts, or ' +
      'sell it on the Reserved Instance Marketplace. Make sure that it is not purchased again when it ends.',
    azure:
      'Set its scope to shared, exchange it for another size or region, or return it within the yearly limit. ' +
      'Turn off its renewal.',
    gcp: 'Share it with other projects, and merge or upgrade machines so that they can use it. Turn off its renewal.',
    other: 'Move matching workloads onto it, or make sure that it is not purchased again.',
  },
  scripts: ({ provider, nativeId, region }) => {
    const order = /\/reservationorders\/([^/]+)\/reservations\/([^/]+)$/i.exec(nativeId);
    if (provider === 'azure' && order)
      return [
        {
          kind: 'azure_cli',
          title: 'Share it with all subscriptions',
          script: sh`az reservations reservation update --reservation-order-id=${order[1] ?? ''} --reservation-id=${order[2] ?? ''} --applied-scope-type=Shared`,
          reversible: true,
        },
      ];
    if (provider === 'aws' && /:ec2:.*:reserved-instances\//.test(nativeId))
      return [
        {
          kind: 'aws_cli',
          title: 'Show what it covers and when it ends',
          script: sh`aws ec2 describe-reserved-instances --region=${region} --reserved-instances-ids=${shortId(nativeId)}`,
          reversible: true,
        },
      ];
    return [];
  },
});
