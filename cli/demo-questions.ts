/** Three questions that an operator asks on the first day. */
export const DEMO_QUESTIONS = [
  {
    question: 'Which screens are off for longest? (A dead screen still says that it is on: it is stale.)',
    sql: `
      select
        players.name as player,
        screens.record_key as screen,
        case when is_on and last_update < screens.exported_at - interval 8 hours then 'stale' else 'off' end as state,
        coalesce(case when is_on then last_update else last_status_change end, last_update) as since
      from screens
      join players using (export_source, player_id)
      where not is_on or last_update < screens.exported_at - interval 8 hours
      order by since nulls last
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
