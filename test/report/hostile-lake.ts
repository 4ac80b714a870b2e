import { type Day, type ViewLab, viewLab } from '../queries/view-lab.ts';

/** Names that run something wherever text is taken for markup, script or formula. */
export const HOSTILE = [
  '<img src=x onerror="window.hacked=1">',
  '</script><script>window.hacked=1</script>',
  "=cmd|' /C calc'!A0",
  '"><svg onload=window.hacked=1>',
  '+1+1',
  '@SUM(A1)',
  '-2+3',
  'line\u2028separator & \u0007bell',
] as const;

/** A text that Excel reads as another, unless it is escaped. */
export const ESCAPE = 'plan _x0041_ of _xD83D_';

export const RUN_TIME = '2026-11-22T03:00:00Z';
const GB = 1_000_000_000;

/** Four days, the fewest of which a trend is drawn, of 40 players, some with hostile names; all but the last ten screens are stale, each longer than the next. */
export async function hostileLake(): Promise<ViewLab> {
  const lab = await viewLab();
  for (const day of ['19', '20', '21', '22']) {
    const runTime = `2026-11-${day}T03:00:00Z`;
    await lab.run(runTime, dayOf(runTime));
  }
  return lab;
}

function dayOf(runTime: string): Day {
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  const before = (hours: number) => new Date(Date.parse(runTime) - hours * 3_600_000).toISOString();
  return {
    players: ids.map((Id) => ({
      Id,
      Name: HOSTILE[Id - 1] ?? (Id === 37 ? ESCAPE : `Player ${Id}`),
      City: HOSTILE[(Id - 1) % HOSTILE.length],
      BoxState: 'Activated',
      TransferStatus: 'Pending',
      LicenseType: HOSTILE[0],
      LastAccess: Id % 10 === 0 ? '0001-01-01T00:00:00Z' : before(Id),
    })),
    screens: Object.fromEntries(
      ids.map((Id) => [
        Id,
        [
          {
            Id: 1,
            Number: 1,
            IsOn: true,
            DisplayName: HOSTILE[1],
            LastUpdate: before(Id <= 30 ? 100 - Id : 1),
          },
        ],
      ]),
    ),
    pending_file_transfers: { 1: [{ Id: 1, Created: before(30) }], 2: [{ Id: 2, Created: before(3) }] },
    licenses: [
      { Type: HOSTILE[0], TotalCount: 50, AvailableCount: 10 },
      { Type: 'Player', TotalCount: 0, AvailableCount: 0 },
    ],
    backup_storages: [{ id: 1, customer_name: HOSTILE[2], size: 100 * GB, storage_reserved: 100 * GB }],
    backup_slots: {
      1: [
        {
          id: 1,
          customer_name: HOSTILE[2],
          size: 60 * GB,
          storage_used: (runTime === RUN_TIME ? 59 : 40) * GB,
        },
        { id: 2, customer_name: HOSTILE[1], size: 40 * GB, storage_used: 0 },
      ],
    },
  };
}
