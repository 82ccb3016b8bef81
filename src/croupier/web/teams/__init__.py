"""What a team finds on the site with its key."""
