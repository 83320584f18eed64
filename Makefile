# The same jobs for fingers used to make; extra words: make test ARGS="-k morale"
.PHONY: play test check bench soak
play test check bench soak:
	python3 dev.py $@ $(ARGS)
