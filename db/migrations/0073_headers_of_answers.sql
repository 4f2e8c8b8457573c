-- What an answer says in headers (the job of a 202, what undoes a merge) is part of it for whoever sends the request again. Null: none, or kept before there was the column.
ALTER TABLE idempotency_key ADD COLUMN headers json;
