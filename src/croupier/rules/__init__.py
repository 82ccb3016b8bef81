"""What is legal, who is asked, who wins: the rules as data and the hand as a state machine."""
