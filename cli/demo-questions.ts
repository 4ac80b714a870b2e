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
      select players.name as player, players.transfer_status, count(*) as pending
      from pending_file_transfers
      join players using (export_source, player_id)
      group by all
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
