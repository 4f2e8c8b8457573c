-- A job knows in which trace it was made (W3C Trace Context, traceparent), so that its run belongs to it; null where nothing is traced.
ALTER TABLE job ADD traceparent text;
