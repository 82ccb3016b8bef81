"""The durable record of matches, hands, registered players and organisers' actions."""
