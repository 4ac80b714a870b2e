/** Questions that an operator asks on the first day. */
export const DEMO_QUESTIONS = [
  {
    question:
      'Which screens have been off or silent for longest? (A screen that has reported nothing for 8 hours is stale.)',
    sql: `
      select player_name as player, screen, state, since
      from screen_status
      where state in ('off', 'stale')
      order by since nulls last, player, screen
      limit 5`,
  },
  {
    question: 'Which players have the most pending transfers?',
    sql: `
      select player_name as player, transfer_status, pending
      from stuck_transfers
      order by pending desc, player
      limit 5`,
  },
  {
    question: 'How many licences are left?',
    sql: `
      select type, total_count as total, available_count as left_over
      from licenses
      order by available_count, type`,
  },
] as const;
