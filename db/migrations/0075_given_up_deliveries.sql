-- Deliveries that were given up, by when: metrics count those of the last day at each look. There are few of them, among all that were delivered in a week.
CREATE INDEX webhook_delivery_dead_idx ON webhook_delivery ((coalesce(last_attempt, create_time))) WHERE status = 'dead';
